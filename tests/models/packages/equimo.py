"""Equimo's vision models."""
import equinox as eqx
import jax
import equimo.models.attnet as attnet
import equimo.models.convnext as convnext
import equimo.models.fastervit as fastervit
import equimo.models.iformer as iformer
import equimo.models.lowformer as lowformer
import equimo.models.mlla as mlla
import equimo.models.mobilenet as mobilenet
import equimo.models.partialformer as partialformer
import equimo.models.reduceformer as reduceformer
import equimo.models.shvit as shvit
import equimo.models.vit as vit
import equimo.models.vssd as vssd

from table import f32
from zoo import filled, leaves, model


def vision(name, create, size=64):
    @model(name, f32("B", 3, size, size), rtol=2e-3, atol=2e-4)
    def build():
        net = eqx.nn.inference_mode(filled(eqx.filter_eval_shape(create, jax.random.key(0))))
        return leaves(jax.vmap(lambda x: net(x, key=jax.random.key(0), inference=True)))


vision("vit", lambda k: vit.VisionTransformer(img_size=32, in_channels=3, dim=16, patch_size=8, num_heads=[2], depths=[2], num_classes=5, key=k), 32)
vision("dinov3", lambda k: vit.VisionTransformer(img_size=32, in_channels=3, dim=16, patch_size=8, num_heads=[2], depths=[2], num_classes=0, reg_tokens=2, use_rope_pos_embed=True, use_global_pos_embed=False, layer_norm_eps=1e-5, key=k), 32)
vision("convnext", lambda k: convnext.ConvNeXt(in_channels=3, dims=[8, 16, 16, 16], depths=[1, 1, 1, 1], num_classes=5, key=k))
vision("attnet", lambda k: attnet.attnet_xxs(in_channels=3, num_classes=5, key=k))
vision("iformer", lambda k: iformer.iformer_t(in_channels=3, num_classes=5, key=k))
vision("lowformer", lambda k: lowformer.lowformer_backbone_b0(in_channels=3, attention_type='softmax', num_classes=5, key=k))
vision("mobilenetv3_small", lambda k: mobilenet.mobilenetv3_small(in_channels=3, num_classes=5, key=k))
vision("reduceformer", lambda k: reduceformer.reduceformer_backbone_b1(in_channels=3, num_classes=5, key=k))
vision("shvit", lambda k: shvit.SHViT(in_channels=3, dim=[16, 32, 32], pdim=[8, 8, 8], qk_dim=[8, 8, 8], depths=[1, 1, 1], block_types=["conv", "mix", "mix"], num_classes=5, key=k))
vision("mlla", lambda k: mlla.Mlla(img_size=64, in_channels=3, dim=16, patch_size=4, depths=[1, 1], num_heads=[2, 4], num_classes=5, key=k))
vision("vssd", lambda k: vssd.Vssd(img_size=64, in_channels=3, dim=16, patch_size=4, depths=[1, 1], num_heads=[2, 4], num_classes=5, key=k))
vision("fastervit", lambda k: fastervit.FasterViT(img_size=64, in_channels=3, dim=16, in_dim=8, depths=[1, 1, 1, 1], window_size=[7, 7, 2, 2], ct_size=2, num_heads=[2, 2, 2, 2], num_classes=5, key=k))
vision("partialformer", lambda k: partialformer.PartialFormer(img_size=64, in_channels=3, dim=16, depths=[1, 1, 1, 1], num_heads=[2, 2, 2, 2], num_classes=5, key=k))
